package bpmn

import "bytes"

// Text gives a file as it is stored: UTF-8 files byte for byte without a byte order
// mark, others converted, with the encoding of the declaration changed to match. The
// error is a *Problem.
func Text(data []byte) (string, error) {
	if len(data) > MaxBytes {
		return "", refuse(Position{}, "too-large", "文件超过 10 MB 上限", "the file is larger than the limit of 10 MB")
	}
	converted, problem := toUTF8(data)
	if problem != nil {
		return "", problem
	}
	place := declaration.FindSubmatchIndex(converted[:min(len(converted), 1024)])
	if place == nil || bytes.EqualFold(converted[place[2]:place[3]], []byte("UTF-8")) {
		return string(converted), nil
	}
	return string(converted[:place[2]]) + "UTF-8" + string(converted[place[3]:]), nil
}
