package local

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
)

// Etcd is an etcd in this process, on a loopback port that the system chooses. It stores its data
// in the folder without syncing to disk, because no other process reads the data.
type Etcd struct {
	// URL is the address for clients.
	URL    string
	server *embed.Etcd
}

// StartEtcd starts etcd, and returns when it accepts requests.
func StartEtcd(ctx context.Context, folder string) (*Etcd, error) {
	config := embed.NewConfig()
	config.Dir = filepath.Join(folder, "etcd")
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	config.LogOutputs = []string{filepath.Join(folder, "etcd.log")}
	// 2 GiB is also etcd's default.
	config.QuotaBackendBytes = 2 << 30
	loopback := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.ListenPeerUrls, config.AdvertisePeerUrls = loopback, loopback
	config.ListenClientUrls, config.AdvertiseClientUrls = loopback, loopback
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	if err != nil {
		return nil, fmt.Errorf("etcd does not start: %w", err)
	}
	select {
	case <-server.Server.ReadyNotify():
		return &Etcd{URL: "http://" + server.Clients[0].Addr().String(), server: server}, nil
	case err := <-server.Err():
		return nil, fmt.Errorf("etcd stopped: %w", err)
	case <-ctx.Done():
		server.Close()
		return nil, fmt.Errorf("etcd was not ready: %w", context.Cause(ctx))
	}
}

// Stop ends etcd.
func (e *Etcd) Stop() {
	e.server.Close()
}
