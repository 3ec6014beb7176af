import { forEachChild, type ArithmeticFor, type Function as ShellFunction, type SyntaxNode, type While } from 'unbash'

/** A function that calls itself in the background or in a pipe, which doubles the processes with each call. */
export function isForkBomb({ name, body }: ShellFunction): boolean {
  const isCall = (node: SyntaxNode): boolean => node.type === 'Command' && node.name?.value === name.value
  const isSplit = (node: SyntaxNode): boolean =>
    (node.type === 'Statement' && node.background === true) || node.type === 'Pipeline' || node.type === 'Coproc'
  return contains(body, (node) => isSplit(node) && contains(node, isCall))
}

/** An endless loop that starts background processes and never waits. */
export function isForkLoop(loop: While | ArithmeticFor): boolean {
  if (loop.type === 'ArithmeticFor' ? loop.test !== undefined : !isEndless(loop)) return false
  const isBound = (node: SyntaxNode): boolean =>
    node.type === 'Command' && /^(?:wait|sleep|read|break|exit)$/.test(node.name?.value ?? '')
  if (contains(loop.body, isBound)) return false
  return contains(loop.body, (node) => node.type === 'Statement' && node.background === true)
}

function isEndless({ kind, clause }: While): boolean {
  const [statement, ...others] = clause.commands
  const command = statement?.command
  if (others.length > 0 || !command) return false
  if (command.type === 'ArithmeticCommand') return kind === 'while' && /^\s*1\s*$/.test(command.body)
  const name = command.type === 'Command' ? command.name?.value : undefined
  return kind === 'while' ? name === 'true' || name === ':' : name === 'false'
}

function contains(node: SyntaxNode, matches: (node: SyntaxNode) => boolean): boolean {
  if (matches(node)) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= contains(child, matches)
  })
  return found
}
