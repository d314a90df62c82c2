package ent

//go:generate go tool ent generate --feature intercept,sql/execquery,sql/modifier,sql/lock,sql/upsert,namedges,sql/versioned-migration ./schema
