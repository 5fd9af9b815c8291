// deep [--bug NAME] URL OUTPUT
//
// A careful downloader of four ranges at a time that can have one bug which no single fault shows. It requests a range
// a second time if the answer takes longer than 300 ms, and cancels the slower request. It goes on with a range after
// 429, 5xx, a lost connection, and five seconds without a byte. It gives up after five tries without a byte. If the ranges
// are not of one file for certain, it downloads the file as a whole. It never leaves an incomplete file at OUTPUT.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What is wrong by the bug's name, and the faults that show it.
var bugs = map[string]string{
	"parked":  "parks a range that stalls in a place for one, so that the second one within 2 s replaces it: two stalls",
	"shared":  "names the file for the rest of a short body by its number of tries, so that two ranges share it: two cuts",
	"outruns": "does not cancel the slower request after a lost connection, whose bytes go behind its range: a cut, a late head",
}

const (
	quarter  = 256 << 10
	most     = 64 << 20
	tries    = 5
	idle     = 5 * time.Second
	headTime = 5 * time.Second
	hedge    = 300 * time.Millisecond
)

var (
	errOther = errors.New("the ranges are not of one file")
	errEnd   = errors.New("the host has something else")
	// contentRange is the field of a 206 with one range (RFC 9110, 14.4).
	contentRange = regexp.MustCompile(`^bytes (\d+)-(\d+)/(\d+)$`)
)

// A download is one file on its way.
type download struct {
	url, output, bug string
	client           *http.Client
	mutex            sync.Mutex
	data             []byte
	tag              string
	parked           *part
	menders          sync.WaitGroup
	// Why a mender gave up.
	failure error
}

// A part is a range of the file, of which the first bytes are here.
type part struct{ start, end, got, losses, shorts int }

func (p *part) lost(err error) {
	p.losses++
	if errors.Is(err, io.ErrUnexpectedEOF) {
		p.shorts++
	}
}

func least(one, other int) int {
	if one < other {
		return one
	}
	return other
}

func (d *download) ask(ctx context.Context, fields map[string]string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", d.url, nil)
	if err != nil {
		return nil, errEnd
	}
	request.Header.Set("Accept-Encoding", "identity")
	for name, value := range fields {
		request.Header.Set(name, value)
	}
	answer, err := d.client.Do(request)
	if err != nil {
		return nil, err
	}
	kind := answer.Header.Get("Content-Type")
	coding := answer.Header.Get("Content-Encoding")
	switch {
	case answer.StatusCode == 429 || answer.StatusCode >= 500:
		answer.Body.Close()
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		time.Sleep(time.Duration(least(2, seconds)) * time.Second)
		return nil, fmt.Errorf("status %d", answer.StatusCode)
	case answer.StatusCode == 416:
		answer.Body.Close()
		return nil, errOther
	case answer.StatusCode != 200 && answer.StatusCode != 206, coding != "" && coding != "identity",
		strings.HasPrefix(kind, "text/html"):
		answer.Body.Close()
		return nil, errEnd
	}
	return answer, nil
}

// askTwice asks once more if the answer is late, and takes the answer that comes first.
func (d *download) askTwice(p *part, fields map[string]string) (*http.Response, context.CancelFunc, error) {
	type reply struct {
		answer *http.Response
		err    error
		place  int
	}
	replies := make(chan reply, 2)
	cancels := []context.CancelFunc{}
	begin := func() {
		ctx, cancel := context.WithCancel(context.Background())
		place := len(cancels)
		cancels = append(cancels, cancel)
		go func() {
			answer, err := d.ask(ctx, fields)
			replies <- reply{answer, err, place}
		}()
	}
	isCareless := d.bug == "outruns" && p.losses > 0
	begin()
	late := time.After(hedge)
	for ended := 0; ; {
		select {
		case <-late:
			begin()
		case first := <-replies:
			ended++
			if first.err != nil && ended < len(cancels) {
				continue
			}
			if ended < len(cancels) {
				d.menders.Add(1)
				go func() {
					defer d.menders.Done()
					slower := <-replies
					if slower.err == nil && isCareless {
						d.take(slower.answer, p, func() {})
					} else if slower.err == nil {
						slower.answer.Body.Close()
					}
				}()
			}
			for place, cancel := range cancels {
				if place != first.place && !isCareless {
					cancel()
				}
			}
			return first.answer, cancels[first.place], first.err
		}
	}
}

// take reads the rest of a part, and ends after a second without a byte.
func (d *download) take(answer *http.Response, p *part, cancel context.CancelFunc) (bool, error) {
	defer answer.Body.Close()
	var stalled atomic.Bool
	watch := time.AfterFunc(idle, func() { stalled.Store(true); cancel() })
	defer watch.Stop()
	block := make([]byte, 16<<10)
	for {
		n, err := answer.Body.Read(block)
		watch.Reset(idle)
		d.mutex.Lock()
		if d.bug != "outruns" {
			n = least(n, p.end-p.start-p.got)
		}
		copy(d.data[least(p.start+p.got, len(d.data)):], block[:n])
		p.got += n
		d.mutex.Unlock()
		if p.start+p.got >= p.end {
			return false, nil
		}
		if err != nil {
			return stalled.Load(), err
		}
	}
}

// try asks for the rest of a part once.
func (d *download) try(p *part) (stalled bool, err error) {
	start := p.start + p.got
	fields := map[string]string{"Range": fmt.Sprintf("bytes=%d-%d", start, p.end-1), "If-Range": d.tag}
	answer, cancel, err := d.askTwice(p, fields)
	if err != nil {
		return false, err
	}
	defer cancel()
	place := contentRange.FindStringSubmatch(answer.Header.Get("Content-Range"))
	if answer.StatusCode != 206 || place == nil || place[1] != strconv.Itoa(start) ||
		place[3] != strconv.Itoa(len(d.data)) || answer.Header.Get("ETag") != d.tag {
		answer.Body.Close()
		return false, errOther
	}
	if d.bug == "shared" && p.shorts > 0 {
		return d.takeByFile(answer, p, cancel)
	}
	return d.take(answer, p, cancel)
}

// takeByFile reads the rest of a part into a temporary file, and copies it from there.
func (d *download) takeByFile(answer *http.Response, p *part, cancel context.CancelFunc) (bool, error) {
	defer answer.Body.Close()
	watch := time.AfterFunc(headTime, cancel)
	defer watch.Stop()
	name := fmt.Sprintf("%s.rest-%d", d.output, p.shorts)
	file, err := os.Create(name)
	if err != nil {
		return false, errEnd
	}
	n, err := io.Copy(file, io.LimitReader(answer.Body, int64(p.end-p.start-p.got)))
	file.Close()
	rest, _ := os.ReadFile(name)
	copy(d.data[p.start+p.got:p.end], rest[:least(int(n), len(rest))])
	p.got += int(n)
	if p.start+p.got < p.end && err == nil {
		err = io.ErrUnexpectedEOF
	}
	return false, err
}

// whole gets a part by as many tries as it takes.
func (d *download) whole(p *part) error {
	for without := 0; without < tries; {
		before := p.got
		stalled, err := d.try(p)
		if err == nil || errors.Is(err, errOther) || errors.Is(err, errEnd) {
			return err
		}
		p.lost(err)
		if p.got > before {
			without = 0
		}
		without++
		if stalled && d.bug == "parked" {
			d.park(p)
			return nil
		}
		time.Sleep(100 * time.Millisecond << without)
	}
	return errors.New("gave up")
}

// park leaves a part to a mender, which looks for it after two seconds.
func (d *download) park(p *part) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.parked = p
	d.menders.Add(1)
	time.AfterFunc(2*time.Second, func() {
		defer d.menders.Done()
		d.mutex.Lock()
		p := d.parked
		d.parked = nil
		d.mutex.Unlock()
		if p == nil {
			return
		}
		if err := d.whole(p); err != nil {
			d.mutex.Lock()
			d.failure = err
			d.mutex.Unlock()
		}
	})
}

// byRanges asks for the first range, which tells the length and the ETag, and for the others beside it.
func (d *download) byRanges() error {
	var answer *http.Response
	var cancel context.CancelFunc
	first := &part{end: quarter}
	err := errors.New("no try")
	for without := 1; err != nil; without++ {
		answer, cancel, err = d.askTwice(first, map[string]string{"Range": fmt.Sprintf("bytes=0-%d", quarter-1)})
		if errors.Is(err, errEnd) || errors.Is(err, errOther) || without == tries {
			break
		}
		if err != nil {
			time.Sleep(100 * time.Millisecond << without)
		}
	}
	if err != nil {
		return err
	}
	place := contentRange.FindStringSubmatch(answer.Header.Get("Content-Range"))
	d.tag = answer.Header.Get("ETag")
	if answer.StatusCode != 206 || place == nil || place[1] != "0" || !strings.HasPrefix(d.tag, `"`) {
		answer.Body.Close()
		cancel()
		return errOther
	}
	total, _ := strconv.Atoi(place[3])
	if total < 1 || total > most {
		return errEnd
	}
	d.mutex.Lock()
	d.data = make([]byte, total)
	d.mutex.Unlock()
	first.end = least(first.end, total)
	ends := make(chan error, total/quarter+1)
	count := 1
	for start := quarter; start < total; start += quarter {
		count++
		go func(p *part) { ends <- d.whole(p) }(&part{start: start, end: least(start+quarter, total)})
	}
	go func() {
		stalled, err := d.take(answer, first, cancel)
		cancel()
		if err == nil {
			ends <- nil
			return
		}
		first.lost(err)
		if stalled && d.bug == "parked" {
			d.park(first)
			ends <- nil
			return
		}
		ends <- d.whole(first)
	}()
	for ; count > 0; count-- {
		if err := <-ends; err != nil {
			return err
		}
	}
	d.menders.Wait()
	return d.failure
}

// asOne downloads the file by one request, and begins again if that fails.
func (d *download) asOne() (err error) {
	for without := 1; without <= tries; without++ {
		if err = d.oneTry(); err == nil || errors.Is(err, errEnd) {
			return err
		}
		time.Sleep(100 * time.Millisecond << without)
	}
	return err
}

func (d *download) oneTry() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	answer, err := d.ask(ctx, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return errEnd
	}
	watch := time.AfterFunc(headTime, cancel)
	defer watch.Stop()
	d.data = d.data[:0]
	block := make([]byte, 16<<10)
	for {
		n, err := answer.Body.Read(block)
		watch.Reset(headTime)
		d.data = append(d.data, block[:n]...)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(d.data) > most {
			return errEnd
		}
	}
}

func main() {
	bug := flag.String("bug", "", "the bug")
	flag.Parse()
	if _, isKnown := bugs[*bug]; flag.NArg() != 2 || (*bug != "" && !isKnown) {
		fmt.Fprintln(os.Stderr, "deep [--bug NAME] URL OUTPUT")
		os.Exit(2)
	}
	d := &download{url: flag.Arg(0), output: flag.Arg(1), bug: *bug}
	d.client = &http.Client{Transport: &http.Transport{
		DisableCompression: true, DisableKeepAlives: true, ResponseHeaderTimeout: headTime,
		DialContext: (&net.Dialer{Timeout: headTime}).DialContext,
	}}
	err := d.byRanges()
	if errors.Is(err, errOther) {
		err = d.asOne()
	}
	part := d.output + ".part"
	if err == nil {
		if err = os.WriteFile(part, d.data, 0o666); err == nil {
			err = os.Rename(part, d.output)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "deep:", err)
		os.Exit(1)
	}
}
