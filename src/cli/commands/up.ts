import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { defineServe } from '../serve.ts'

export function define(command: Command, cli: Cli): void {
  defineServe(command, cli, { proxy: true, web: true })
}
