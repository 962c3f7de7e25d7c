// Cloud Messaging with Google's generated client and the credentials of the environment.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"golang.org/x/oauth2/google"
	"google.golang.org/api/fcm/v1"
	"google.golang.org/api/googleapi"
)

var project = os.Getenv("GOOGLE_CLOUD_PROJECT")

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A device of the state, as the console registers it.
func register(state string) string {
	url := os.Getenv("HEARTH_CONSOLE_URL") + "/emulator/v1/projects/" + project + "/devices"
	reply, err := http.Post(url, "application/json", strings.NewReader(`{"state":"`+state+`"}`))
	check(err)
	defer reply.Body.Close()
	var device struct{ Token string }
	check(json.NewDecoder(reply.Body).Decode(&device))
	return device.Token
}

func send(service *fcm.Service, message *fcm.Message, validateOnly bool) (string, error) {
	request := &fcm.SendMessageRequest{Message: message, ValidateOnly: validateOnly}
	sent, err := service.Projects.Messages.Send("projects/"+project, request).Do()
	if err != nil {
		return "", err
	}
	return sent.Name, nil
}

// The status, and the code of Cloud Messaging in the body.
func refusal(err error) string {
	var refused *googleapi.Error
	if !errors.As(err, &refused) {
		return fmt.Sprint(err)
	}
	var body struct {
		Error struct {
			Details []struct{ ErrorCode string }
		}
	}
	check(json.Unmarshal([]byte(refused.Body), &body))
	for _, detail := range body.Error.Details {
		if detail.ErrorCode != "" {
			return fmt.Sprint(refused.Code, " ", detail.ErrorCode)
		}
	}
	return fmt.Sprint(refused.Code)
}

func main() {
	ctx := context.Background()
	service, err := fcm.NewService(ctx)
	check(err)
	phone := register("registered")
	name, err := send(service, &fcm.Message{
		Token:        phone,
		Notification: &fcm.Notification{Title: "From Go", Body: "Your code is 482913."},
		Android:      &fcm.AndroidConfig{Priority: "HIGH", Ttl: "3.500s"},
		Data:         map[string]string{"order": "12"},
	}, false)
	check(err)
	fmt.Println("sent", strings.HasPrefix(name, "projects/"+project+"/messages/"))
	_, err = send(service, &fcm.Message{Topic: "news"}, true)
	check(err)
	for _, state := range []string{"unregistered", "senderIdMismatch", "quotaExceeded", "thirdPartyAuthError", "invalidArgument"} {
		_, err = send(service, &fcm.Message{Token: register(state)}, false)
		fmt.Println("refused", refusal(err))
	}

	// As many at the same time as the Admin SDK for Go has workers.
	var group sync.WaitGroup
	failures := make(chan error, 500)
	tokens := make(chan string, 500)
	for worker := 0; worker < 50; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for token := range tokens {
				if _, err := send(service, &fcm.Message{Token: token}, false); err != nil {
					failures <- err
				}
			}
		}()
	}
	for number := 0; number < 500; number++ {
		tokens <- fmt.Sprint("go-", number)
	}
	close(tokens)
	group.Wait()
	fmt.Println("failures", len(failures))

	client, err := google.DefaultClient(ctx, "https://www.googleapis.com/auth/firebase.messaging")
	check(err)
	body := `{"to":"/topics/news","registration_tokens":["` + phone + `"]}`
	request, err := http.NewRequest("POST", "https://iid.googleapis.com/iid/v1:batchAdd", strings.NewReader(body))
	check(err)
	request.Header.Set("access_token_auth", "true")
	reply, err := client.Do(request)
	check(err)
	defer reply.Body.Close()
	var answer struct{ Results []map[string]string }
	check(json.NewDecoder(reply.Body).Decode(&answer))
	fmt.Println("subscribed", len(answer.Results), len(answer.Results[0]))
}
