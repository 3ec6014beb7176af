/**
 * Lines, cut at LF, that take the place of others: those that stay, at the top and the bottom, keep their carriage
 * return or have none; new ones end as the first of the old ones does.
 */
export function withBreaksOf(old: readonly string[], lines: readonly string[]): string[] {
  const isSame = (was: string | undefined, is: string | undefined) => was?.replace(/\r$/, '') === is
  const most = Math.min(old.length, lines.length)
  let [top, bottom] = [0, 0]
  while (top < most && isSame(old[top], lines[top])) top++
  while (bottom < most - top && isSame(old.at(-1 - bottom), lines.at(-1 - bottom))) bottom++
  const usual = old[0]?.endsWith('\r') === true ? '\r' : ''
  return [
    ...old.slice(0, top),
    ...lines.slice(top, lines.length - bottom).map(line => line + usual),
    ...old.slice(old.length - bottom),
  ]
}
