/** In a fence that nothing in the text closes; its language keeps blocks in it from being live. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`
}
