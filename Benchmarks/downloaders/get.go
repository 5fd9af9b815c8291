// get URL OUTPUT downloads a file with Go's net/http.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func get(url, output string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the host answered %s", answer.Status)
	}
	file, err := os.Create(output)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, answer.Body); err != nil {
		return err
	}
	return file.Close()
}

func main() {
	if err := get(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
