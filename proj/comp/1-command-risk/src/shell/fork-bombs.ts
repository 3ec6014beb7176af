import { forEachChild, type ArithmeticFor, type Function as ShellFunction, type SyntaxNode, type While } from 'unbash'

/** A function that calls itself in the background or in a pipe, which doubles the processes with each call. */
export function isForkBomb({ name, body }: ShellFunction): boolean {
  return starts(body, (node) => node.type === 'Command' && node.name?.value === name.value)
}

/** An endless loop that starts background processes and never waits. */
export function isForkLoop(loop: While | ArithmeticFor): boolean {
  if (loop.type === 'ArithmeticFor' ? loop.test !== undefined : !isEndless(loop)) return false
  if (
    contains(
      loop.body,
      (node) => node.type === 'Command' && /^(?:wait|sleep|read|break|exit)$/.test(node.name?.value ?? ''),
    )
  )
    return false
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

function starts(node: SyntaxNode, isCall: (node: SyntaxNode) => boolean): boolean {
  return contains(
    node,
    (inner) =>
      ((inner.type === 'Statement' && inner.background === true)
        || inner.type === 'Pipeline'
        || inner.type === 'Coproc')
      && contains(inner, isCall),
  )
}

function contains(node: SyntaxNode, matches: (node: SyntaxNode) => boolean): boolean {
  if (matches(node)) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= contains(child, matches)
  })
  return found
}
