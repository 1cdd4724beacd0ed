// A small cluster on loopback with a whole kube-apiserver, which supports webhooks and namespaces.
// See ../README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/pflag"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"union-cluster/local"
)

func main() {
	if err := local.Serve(run, "/readyz"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// flags returns the flags without which the server does not start, and the arguments of this program,
// which are further flags. No controller creates service accounts here, so no request may wait for
// them.
func flags(etcd string, access *local.Access) []string {
	return append([]string{
		"--etcd-servers=" + etcd,
		"--tls-cert-file=" + access.ServerCert,
		"--tls-private-key-file=" + access.ServerKey,
		"--client-ca-file=" + access.CA,
		"--authorization-mode=RBAC",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-issuer=" + access.URL,
		"--service-account-key-file=" + access.ServerKey,
		"--service-account-signing-key-file=" + access.ServerKey,
		"--disable-admission-plugins=ServiceAccount",
		"--endpoint-reconciler-type=none",
		"--profiling=false",
	}, os.Args[1:]...)
}

func run(ctx context.Context, listener net.Listener, etcd string, access *local.Access) error {
	serverOptions := options.NewServerRunOptions()
	flagSet := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, flagsOfSection := range serverOptions.Flags().FlagSets {
		flagSet.AddFlagSet(flagsOfSection)
	}
	if err := flagSet.Parse(flags(etcd, access)); err != nil {
		return err
	}
	serving := serverOptions.SecureServing
	serving.Listener, serving.BindPort = listener, listener.Addr().(*net.TCPAddr).Port
	serving.BindAddress = net.IPv4(127, 0, 0, 1)
	if err := serverOptions.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	completed, err := serverOptions.Complete(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(completed.Validate()...); err != nil {
		return err
	}
	return app.Run(ctx, completed)
}
