module cucore

go 1.19

require github.com/ebitengine/purego v0.8.4
