package local

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// The time that a server may take to be ready, and the interval between two checks.
const (
	startTimeout = 2 * time.Minute
	pollInterval = 50 * time.Millisecond
)

// An APIServer runs an API server until the context ends.
type APIServer func(ctx context.Context, listener net.Listener, etcd string, access *Access) error

// Serve runs an API server with its own etcd in a temporary folder, all in this process. When the
// server is ready, Serve prints its Access as a line of JSON. The server ends at a signal, and when
// stdin is closed: it therefore ends with the process that started it, even if that process is
// killed.
func Serve(run APIServer, readyPath string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()

	folder, err := os.MkdirTemp("", "union-cluster-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()

	startContext, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("not ready in %v", startTimeout))
	defer cancel()
	etcd, err := StartEtcd(startContext, folder)
	if err != nil {
		return err
	}
	defer etcd.Stop()

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	access, err := NewAccess(folder, listener.Addr())
	if err != nil {
		return err
	}
	exit := make(chan error, 1)
	go func() { exit <- run(ctx, listener, etcd.URL, access) }()
	ready := make(chan error, 1)
	go func() { ready <- waitUntilReady(startContext, access, readyPath) }()
	select {
	case err := <-exit:
		return errors.Join(errors.New("the API server does not start"), err)
	case err := <-ready:
		if err != nil {
			stop()
			return errors.Join(err, <-exit)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(access); err != nil {
		return err
	}
	return <-exit
}

// waitUntilReady polls the server until it reports that it is ready.
func waitUntilReady(ctx context.Context, access *Access, path string) error {
	client, err := access.client()
	if err != nil {
		return err
	}
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	var lastErr error
	for {
		if lastErr = checkReady(ctx, client, access.URL+path); lastErr == nil {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("the API server: %w: %w", context.Cause(ctx), lastErr)
		}
	}
}

// checkReady returns an error unless a GET request to the URL is successful.
func checkReady(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
	return fmt.Errorf("%s: %s: %s", url, response.Status, body)
}

// client returns an HTTP client with the certificate of the administrator.
func (a *Access) client() (*http.Client, error) {
	cert, err := tls.LoadX509KeyPair(a.Cert, a.Key)
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(a.CA)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	config := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{cert}}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config}}, nil
}
