package main

import (
	"reflect"
	"testing"
)

func TestUnionTag(t *testing.T) {
	for marker, arguments := range map[string]map[string]string{
		`k8s:unionMember`:                                                   nil,
		`k8s:unionMember()`:                                                 {},
		`k8s:unionMember(union: "a")`:                                       {"union": "a"},
		`k8s:unionMember(union: "a,b)", memberName: "C")`:                   {"union": "a,b)", "memberName": "C"},
		`k8s:unionMember( memberName:"C" )`:                                 {"memberName": "C"},
		`k8s:alpha(since: "1.36")=+k8s:unionMember`:                         nil,
		`k8s:alpha(since: "1.36") = +k8s:unionMember`:                       nil,
		`k8s:ifEnabled(Gate)=+k8s:beta(since:"1.37")=+k8s:unionMember(b)`:   {"": "b"},
		"k8s:ifEnabled(`Gate=+k8s:item`)=+k8s:unionMember(memberName: `C`)": {"memberName": "C"},
	} {
		found, ok := unionTag(marker)
		if !ok || found.name != "k8s:unionMember" {
			t.Errorf("%s is not a union member: %+v", marker, found)
		}
		if len(found.arguments)+len(arguments) > 0 && !reflect.DeepEqual(found.arguments, arguments) {
			t.Errorf("%s has the arguments %v", marker, found.arguments)
		}
	}
	for _, marker := range []string{
		`k8s:unionMembers`,
		`k8s:optional`,
		`k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember`,
		`k8s:alpha(since: "1.36")=+k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember`,
		`k8s:eachVal=+k8s:maxBytes=64`,
		`optional`,
		``,
	} {
		if found, ok := unionTag(marker); ok {
			t.Errorf("%s is a union tag: %+v", marker, found)
		}
	}
	if found, ok := unionTag("oneOf=NodeSelection"); !ok || found.value != "NodeSelection" {
		t.Errorf("oneOf has the value %q", found.value)
	}
}
