package main

import (
	"fmt"
	"strings"

	"github.com/contentgraph/contentgraph/internal/app"
)

type accountCommand struct {
	Create accountCreate `cmd:"" help:"Create an account; an existing one is kept as it is."`
	List   accountList   `cmd:"" help:"List accounts."`
}

type accountCreate struct {
	printed
	ID   int    `required:"" help:"Number of the account, at least 1."`
	Name string `required:"" help:"Name of the account."`
}

func (c accountCreate) Run(s *session) error {
	return s.with(func(a *app.App) error {
		acc, err := a.Access.CreateAccount(s.ctx, nil, c.ID, c.Name)
		if err != nil {
			return err
		}
		line := "Account %d: %s"
		if acc.Name != c.Name {
			line = "Account %d exists already and keeps its name: %s"
		}
		return s.print(c.JSON, map[string]any{"id": acc.ID, "name": acc.Name}, line, acc.ID, acc.Name)
	})
}

type accountList struct{ printed }

func (c accountList) Run(s *session) error {
	return s.with(func(a *app.App) error {
		list, err := a.Access.ListAccounts(s.ctx, nil)
		if err != nil {
			return err
		}
		rows := []map[string]any{}
		table := [][]string{{"ID", "NAME"}}
		for _, acc := range list {
			rows = append(rows, map[string]any{"id": acc.ID, "name": acc.Name})
			table = append(table, []string{fmt.Sprint(acc.ID), acc.Name})
		}
		return s.list(c.JSON, map[string]any{"accounts": rows}, table)
	})
}

type userCommand struct {
	Create userCreate `cmd:"" help:"Create a user and grant accounts; prints the user id."`
	List   userList   `cmd:"" help:"List users."`
}

type userCreate struct {
	printed
	Name    string   `required:"" help:"Name, unique in the installation."`
	Account []int    `required:"" help:"Account to grant; repeat for more."`
	Scopes  []string `required:"" help:"Of content:read, content:write, data, admin; separated by commas."`
}

func (c userCreate) Run(s *session) error {
	return s.with(func(a *app.App) error {
		u, err := a.Access.CreateUser(s.ctx, nil, c.Name, c.Account, c.Scopes)
		if err != nil {
			return err
		}
		return s.print(c.JSON, map[string]any{"id": u.ID, "name": u.Name, "accounts": u.Accounts, "scopes": u.Scopes}, "%d", u.ID)
	})
}

type userList struct{ printed }

func (c userList) Run(s *session) error {
	return s.with(func(a *app.App) error {
		list, err := a.Access.ListUsers(s.ctx, nil)
		if err != nil {
			return err
		}
		rows := []map[string]any{}
		table := [][]string{{"ID", "NAME", "ACCOUNTS", "SCOPES"}}
		for _, u := range list {
			rows = append(rows, map[string]any{"id": u.ID, "name": u.Name, "accounts": u.Accounts, "scopes": u.Scopes})
			table = append(table, []string{fmt.Sprint(u.ID), u.Name, strings.Trim(fmt.Sprint(u.Accounts), "[]"), strings.Join(u.Scopes, ",")})
		}
		return s.list(c.JSON, map[string]any{"users": rows}, table)
	})
}
