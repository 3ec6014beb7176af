/** A path that can stand in a command as it is, quoted or not. */
const PLAIN = /^\/[\w./@+:,-]+$/
/** What stands in front of a path that goes on: `a/work`, `$X/work`, `"$X"/work`, `//work` of an address. */
const GOES_ON = String.raw`(?<![\w.\-}\])*~$@%+\\/]|[\w}\])*~$]["'])`

/**
 * The text of a command with the workspace in place of the paths that stood for it: nothing else can make `cd
 * /workspace` work where there is no such directory.
 *
 * @param roots as recorded; one that is only `/` stands for nothing
 */
export function rootPutIn(root: string, roots: readonly string[]): (command: string) => string {
  const paths = roots.map((candidate) => candidate.replace(/\/+$/, '')).filter((one) => PLAIN.test(one) && one !== root)
    .sort((a, b) => b.length - a.length)
  if (paths.length === 0 || !PLAIN.test(root)) return (command) => command
  const written = paths.map((path) => path.replaceAll(/[.+]/g, String.raw`\$&`)).join('|')
  const pattern = new RegExp(`(?:(?<=file://)|${GOES_ON})(?:${written})(?![\\w-]|\\.\\w)`, 'g')
  return (command) => command.replace(pattern, () => root)
}
