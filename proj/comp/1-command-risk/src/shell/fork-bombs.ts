import { forEachChild, type ArithmeticFor, type Function as ShellFunction, type SyntaxNode, type While } from 'unbash'

/** Whether a function calls itself in the background, in a pipe or as a coprocess: each call doubles the processes. */
export function isForkBomb({ name, body }: ShellFunction): boolean {
  const isCall = (node: SyntaxNode): boolean => node.type === 'Command' && node.name?.value === name.value
  const startsProcess = (node: SyntaxNode): boolean =>
    (node.type === 'Statement' && node.background === true) || node.type === 'Pipeline' || node.type === 'Coproc'
  return contains(body, (node) => startsProcess(node) && contains(node, isCall))
}

/** Whether an endless loop starts background processes, and has nothing that waits, pauses or ends it. */
export function isForkLoop(loop: While | ArithmeticFor): boolean {
  if (loop.type === 'ArithmeticFor' ? loop.test !== undefined : !isEndless(loop)) return false
  const waitsOrEnds = (node: SyntaxNode): boolean =>
    node.type === 'Command' && /^(?:wait|sleep|read|break|exit)$/.test(node.name?.value ?? '')
  if (contains(loop.body, waitsOrEnds)) return false
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
  let isInside = false
  forEachChild(node, (child) => {
    isInside ||= contains(child, matches)
  })
  return isInside
}
