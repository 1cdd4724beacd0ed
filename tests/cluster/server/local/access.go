// Package local has the parts that any API server on loopback needs: etcd, certificates, and a
// shutdown.
package local

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Access has the address of the server and the credentials of a client: paths of PEM files, and a
// kubeconfig that refers to them.
type Access struct {
	URL        string `json:"url"`
	CA         string `json:"ca"`
	Cert       string `json:"cert"`
	Key        string `json:"key"`
	Kubeconfig string `json:"kubeconfig"`

	// ServerCert and ServerKey are for the server only.
	ServerCert string `json:"-"`
	ServerKey  string `json:"-"`
}

// NewAccess writes certificates for a server at a loopback address, and for its administrator. They
// expire after a day.
func NewAccess(folder string, address net.Addr) (*Access, error) {
	access := &Access{
		URL:        "https://" + address.String(),
		CA:         filepath.Join(folder, "ca.crt"),
		Cert:       filepath.Join(folder, "admin.crt"),
		Key:        filepath.Join(folder, "admin.key"),
		Kubeconfig: filepath.Join(folder, "kubeconfig"),
		ServerCert: filepath.Join(folder, "server.crt"),
		ServerKey:  filepath.Join(folder, "server.key"),
	}
	issuer := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "union-cluster"},
		KeyUsage:              x509.KeyUsageCertSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	issuerKey, err := issue(issuer, issuer, nil, access.CA, "")
	if err != nil {
		return nil, err
	}
	server := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "localhost"},
		DNSNames:    []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if _, err := issue(server, issuer, issuerKey, access.ServerCert, access.ServerKey); err != nil {
		return nil, err
	}
	// Every authorizer allows all requests of this group.
	admin := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	if _, err := issue(admin, issuer, issuerKey, access.Cert, access.Key); err != nil {
		return nil, err
	}
	return access, access.writeKubeconfig()
}

// issue generates a key for a certificate, signs the certificate with the issuer's key (with its own
// key if the issuer has none), and writes the certificate and the key.
func issue(
	certificate, issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey, certPath, keyPath string,
) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if issuerKey == nil {
		issuerKey = key
	}
	certificate.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	certificate.NotBefore = time.Now().Add(-time.Minute)
	certificate.NotAfter = time.Now().Add(24 * time.Hour)
	certificateBytes, err := x509.CreateCertificate(rand.Reader, certificate, issuer, &key.PublicKey, issuerKey)
	if err != nil {
		return nil, err
	}
	if err := writePEM(certPath, "CERTIFICATE", certificateBytes); err != nil {
		return nil, err
	}
	if keyPath == "" {
		return key, nil
	}
	// A kube-apiserver accepts this encoding for the key of service accounts too.
	encodedKey, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, writePEM(keyPath, "EC PRIVATE KEY", encodedKey)
}

func writePEM(path, kind string, content []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600)
}

// writeKubeconfig writes the kubeconfig in JSON, which is valid YAML.
func (a *Access) writeKubeconfig() error {
	type object = map[string]any
	const name = "union-cluster"
	kubeconfig, err := json.MarshalIndent(object{
		"apiVersion":      "v1",
		"kind":            "Config",
		"current-context": name,
		"clusters":        []object{{"name": name, "cluster": object{"server": a.URL, "certificate-authority": a.CA}}},
		"users":           []object{{"name": name, "user": object{"client-certificate": a.Cert, "client-key": a.Key}}},
		"contexts":        []object{{"name": name, "context": object{"cluster": name, "user": name}}},
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("kubeconfig: %w", err)
	}
	return os.WriteFile(a.Kubeconfig, kubeconfig, 0o600)
}
