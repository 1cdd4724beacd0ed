// Prints the unions of Kubernetes' own API types, with the types that lead to them.
//
//	builtin table FOLDER MINOR=DIR[,DIR]...
//	builtin served FILE MINOR=DIR...
//
// FOLDER has the tables that are written by hand: the unions whose validation is code
// (unions.json), the kinds that servers serve (served.json), and the reasons for which parts of
// them are not in the output (left_out.json). Each DIR is the folder of a Go module with API types,
// such as k8s.io/api, at the version of the Kubernetes version MINOR. The unions that the modules
// mark with tags are added to the table. The output is the data file of crates/k8s-builtin-unions.
//
// The second form prints served.json, which is FILE, with the kinds of more versions. Each DIR is the
// folder of the module k8s.io/kubernetes.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "builtin:", err)
		os.Exit(1)
	}
}

// A release is a minor version of Kubernetes, and the folders of its Go modules.
type release struct {
	minor int
	dirs  []string
}

func run(args []string) error {
	switch {
	case len(args) >= 3 && args[0] == "table":
		releases, err := readReleases(args[2:])
		if err != nil {
			return err
		}
		return printTable(args[1], releases)
	case len(args) >= 3 && args[0] == "served":
		releases, err := readReleases(args[2:])
		if err != nil {
			return err
		}
		return printServed(args[1], releases)
	}
	return fmt.Errorf("usage: builtin table FOLDER MINOR=DIR[,DIR]... or builtin served FILE MINOR=DIR...")
}

func readReleases(args []string) ([]release, error) {
	var releases []release
	for _, arg := range args {
		minor, dirs, ok := strings.Cut(arg, "=")
		number, err := strconv.Atoi(minor)
		if !ok || err != nil {
			return nil, fmt.Errorf("%q is not MINOR=DIR", arg)
		}
		releases = append(releases, release{number, strings.Split(dirs, ",")})
	}
	sort.Slice(releases, func(i, j int) bool { return releases[i].minor < releases[j].minor })
	return releases, nil
}

func printTable(folder string, releases []release) error {
	var rows []row
	if err := readJSON(filepath.Join(folder, "unions.json"), &rows); err != nil {
		return err
	}
	var served servedKinds
	if err := readJSON(filepath.Join(folder, "served.json"), &served); err != nil {
		return err
	}
	leftOut := leftOut{}
	if err := readJSON(filepath.Join(folder, "left_out.json"), &leftOut.reasons); err != nil {
		return err
	}
	var versions []*version
	for _, release := range releases {
		version := &version{minor: release.minor, packages: map[string]*apiPackage{}}
		for _, dir := range release.dirs {
			if err := version.readModule(dir); err != nil {
				return err
			}
		}
		versions = append(versions, version)
	}
	table, err := merge(rows, versions, served, &leftOut)
	if err != nil {
		return err
	}
	if err := leftOut.check(os.Stderr); err != nil {
		return err
	}
	return table.write(os.Stdout)
}
