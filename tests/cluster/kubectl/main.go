// kubectl, built from its published module. The tests of `kubectl union` with a real server run
// this program, so that they do not depend on a kubectl of the machine. See ../README.md.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
)

func main() {
	os.Exit(cli.Run(cmd.NewDefaultKubectlCommand()))
}
