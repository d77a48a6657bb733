import { Argument, type Command } from 'commander'

/** For help and completion only: the command itself is taken by main.ts, which hands it to the hook client at once. */
export function define(command: Command): void {
  command.addArgument(
    new Argument('<event>', 'the event, such as pre-tool-use; its payload is read from standard input'),
  )
}
