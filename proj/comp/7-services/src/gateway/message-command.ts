/** What a message can ask of the gateway itself. */
export type MessageCommand = 'new' | 'stop' | 'help'

/** `undefined` for a message to the agent: also one that only begins with a slash, such as a path. */
export function messageCommand(text: string): MessageCommand | undefined {
  const word = /^\s*\/(new|stop|help)\s*$/i.exec(text)?.[1]?.toLowerCase()
  return word as MessageCommand | undefined
}

export const HELP = [
  'Write what I shall do; what you write meanwhile comes next. Commands, alone in a message:',
  '/new   begin a new conversation: I forget this one',
  '/stop  end the answer I am working on',
  '/help  this',
].join('\n')
