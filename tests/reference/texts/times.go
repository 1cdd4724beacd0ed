package main

import (
	"fmt"
	"strconv"
	"time"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

func zonedTime(text, _ string) ([]string, error) {
	return moment(time.Parse(time.RFC3339, text))
}

func localTime(text, _ string) ([]string, error) {
	return moment(time.Parse("2006-01-02T15:04:05", text))
}

func date(text, _ string) ([]string, error) {
	return moment(time.Parse(time.DateOnly, text))
}

func dateTime(text, _ string) ([]string, error) {
	found, err := strfmt.ParseDateTime(text)
	return moment(time.Time(found), err)
}

func moment(found time.Time, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	_, offset := found.Zone()
	return []string{
		fmt.Sprint(found.Unix()), fmt.Sprint(found.Nanosecond()), fmt.Sprint(offset), found.UTC().Format("2006-01-02T15:04:05"),
	}, nil
}

// civil returns the time that is this number of seconds after the start of 1970.
func civil(text, _ string) ([]string, error) {
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, err
	}
	found := time.Unix(seconds, 0).UTC()
	return []string{
		found.Format("2006-01-02T15:04:05"), fmt.Sprint(found.YearDay() - 1), fmt.Sprint(int(found.Weekday())),
	}, nil
}

func duration(text, _ string) ([]string, error) {
	return length(time.ParseDuration(text))
}

func durationFormat(text, _ string) ([]string, error) {
	return length(strfmt.ParseDuration(text))
}

func length(found time.Duration, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprint(int64(found)), found.String()}, nil
}

func durationPrinted(text, _ string) ([]string, error) {
	nanos, err := strconv.ParseInt(text, 10, 64)
	return length(time.Duration(nanos), err)
}
