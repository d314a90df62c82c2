package ent

//go:generate go tool ent generate --feature intercept,sql/execquery,sql/modifier,sql/lock,sql/upsert,sql/versioned-migration --template ./template ./schema
