// Firestore with the credentials of the environment, and ID tokens by Google's address.
package main

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
)

const certificates = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func part(text string) []byte {
	bytes, err := base64.RawURLEncoding.DecodeString(text)
	check(err)
	return bytes
}

func isGood(token string) bool {
	reply, err := http.Get(certificates)
	check(err)
	defer reply.Body.Close()
	keys := map[string]string{}
	check(json.NewDecoder(reply.Body).Decode(&keys))
	parts := strings.Split(token, ".")
	var head struct{ Kid string }
	var claims struct{ Exp int64 }
	check(json.Unmarshal(part(parts[0]), &head))
	check(json.Unmarshal(part(parts[1]), &claims))
	block, _ := pem.Decode([]byte(keys[head.Kid]))
	certificate, err := x509.ParseCertificate(block.Bytes)
	check(err)
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	key := certificate.PublicKey.(*rsa.PublicKey)
	err = rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], part(parts[2]))
	return err == nil && time.Now().Unix() < claims.Exp
}

func main() {
	project := os.Getenv("GOOGLE_CLOUD_PROJECT")
	for _, token := range os.Args[1:] {
		fmt.Println("token", isGood(token))
	}
	for _, token := range os.Args[1:] {
		url := "https://firestore.googleapis.com/v1/projects/" + project + "/databases/(default)/documents/cities"
		request, err := http.NewRequest("GET", url, nil)
		check(err)
		request.Header.Set("Authorization", "Bearer "+token)
		reply, err := http.DefaultClient.Do(request)
		check(err)
		io.Copy(io.Discard, reply.Body)
		reply.Body.Close()
		fmt.Println("firestore", reply.StatusCode)
	}
	ctx := context.Background()
	client, err := firestore.NewClient(ctx, project)
	check(err)
	defer client.Close()
	_, err = client.Collection("cities").Doc("oslo").Set(ctx, map[string]interface{}{"people": 700000})
	check(err)
	found, err := client.Collection("cities").Where("people", ">", 1).Documents(ctx).GetAll()
	check(err)
	fmt.Println("documents", len(found))
	if _, err := http.Get("https://example.com/"); err == nil {
		fmt.Println("example.com answered")
	} else {
		fmt.Println("example.com refused")
	}
}
