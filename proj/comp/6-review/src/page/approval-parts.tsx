import { PlainText } from '../../../2-page/src/page/index.js'
import type { ApprovalRequest } from '../../../0-contracts/src/index.js'

/** What would run: the command, its variables, where, held by what; and what a write would change. */
export function ApprovalParts({ request }: { request: ApprovalRequest }) {
  const { command, variables = [], directory, sandbox, network, access, diff } = request
  const place = [
    ...(directory === undefined ? [] : [`in ${directory}`]),
    ...(sandbox === undefined ? [] : [sandbox === 'none' ? 'without a sandbox' : `in the sandbox ${sandbox}`]),
    ...(network === undefined || sandbox === 'none' ? [] : [network ? 'with the network' : 'without the network']),
    ...(access === 'git' || access === 'network+git' ? ['with .git writable'] : []),
  ].join(', ')
  const runs = request.kind === 'escalation' ? 'It ran' : 'It runs'
  const set = variables.map(({ name, value, changesWhatRuns }) => (
    `${name}=${value}${changesWhatRuns ? '   (changes what runs)' : ''}`
  )).join('\n')
  return <>
    {command !== undefined
      && <pre class="command" tabIndex={0} aria-label="The command"><PlainText text={command} isWhole /></pre>}
    {set !== '' && <pre class="command" tabIndex={0} aria-label="The variables that it sets"><PlainText
      text={set} isWhole /></pre>}
    {diff !== undefined && <pre class="command" tabIndex={0} aria-label="What it changes"><PlainText
      text={diff} isWhole /></pre>}
    {place !== '' && <p><PlainText text={`${runs} ${place}.`} isWhole /></p>}
  </>
}

/** What the page says that it has shown, so that nothing else is approved. */
export function shownOf({ reason, command, exact }: ApprovalRequest) {
  return { reason, ...(command !== undefined && { command }), ...(exact !== undefined && { exact }) }
}
