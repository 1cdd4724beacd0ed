// A small cluster on loopback: the part of Kubernetes that serves custom resources,
// k8s.io/apiextensions-apiserver, with etcd in the same process. See ../README.md.
package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"github.com/spf13/pflag"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	"k8s.io/apiserver/pkg/server"

	"union-cluster/local"
)

func main() {
	if err := local.Serve(run, "/healthz"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// flags returns the flags of a server without a kube-apiserver beside it: no server to query for the
// identity or the rights of a client, and no namespaces, webhooks or policies to look up. The
// server requires a kubeconfig, and does not use it.
func flags(etcd string, access *local.Access) []string {
	return []string{
		"--etcd-servers=" + etcd,
		"--tls-cert-file=" + access.ServerCert,
		"--tls-private-key-file=" + access.ServerKey,
		"--client-ca-file=" + access.CA,
		"--kubeconfig=" + access.Kubeconfig,
		"--authentication-kubeconfig=" + access.Kubeconfig,
		"--authentication-skip-lookup",
		"--authorization-kubeconfig=" + access.Kubeconfig,
		"--enable-priority-and-fairness=false",
		"--disable-admission-plugins=NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook," +
			"ValidatingAdmissionPolicy,MutatingAdmissionPolicy",
		"--profiling=false",
	}
}

func run(ctx context.Context, listener net.Listener, etcd string, access *local.Access) error {
	serverOptions := options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	flagSet := pflag.NewFlagSet("apiextensions-apiserver", pflag.ContinueOnError)
	serverOptions.AddFlags(flagSet)
	if err := flagSet.Parse(flags(etcd, access)); err != nil {
		return err
	}
	serving := serverOptions.RecommendedOptions.SecureServing
	serving.Listener, serving.BindPort = listener, listener.Addr().(*net.TCPAddr).Port
	serving.BindAddress = net.IPv4(127, 0, 0, 1)
	if err := serverOptions.ServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	if err := serverOptions.Complete(); err != nil {
		return err
	}
	if err := serverOptions.Validate(); err != nil {
		return err
	}
	config, err := serverOptions.Config()
	if err != nil {
		return err
	}
	completedConfig := config.Complete()
	// In a real cluster kube-apiserver lists the API groups. Without the list kubectl finds no
	// resources.
	completedConfig.GenericConfig.EnableDiscovery = true
	apiServer, err := completedConfig.New(server.NewEmptyDelegate())
	if err != nil {
		return err
	}
	return apiServer.GenericAPIServer.PrepareRun().RunWithContext(ctx)
}
