module union-reference-timing

go 1.26.0
