import { shownOwnFile } from '../../../../2-config/src/index.js'
import { unmetIn, VerbsHere } from '../../../../5-executor/src/index.js'
import type { Check, Finding } from '../finding.js'

const id = 'verbs'

/** Whether the verbs that the user's config brings are there, and what they need. */
export const checkBroughtVerbs: Check = async ({ root, signal }) => {
  const here = await VerbsHere.open(root, signal)
  try {
    return await problemsOf(here, root)
  } finally {
    await here[Symbol.asyncDispose]()
  }
}

async function problemsOf(here: VerbsHere, root: string): Promise<Finding[]> {
  const findings = here.warnings.map((detail): Finding => (
    { id, status: 'problem', title: id, detail, fix: `Mend it, or take it out of ${shownOwnFile()}.` }
  ))
  if (!here.hasOwn) return findings
  const { verbs, problems } = await here.all()
  for (const { message, hint = 'Mend it.' } of problems) {
    findings.push({ id, status: 'problem', title: id, detail: message, fix: hint })
  }
  const own = verbs.filter(({ origin }) => origin !== undefined)
  const unmetOf = await unmetIn(root)
  for (const verb of own) {
    const unmet = unmetOf(verb)
    if (!unmet) continue
    findings.push({ id, status: 'warning', title: id, detail: `${verb.name}: ${unmet.reason}`, fix: unmet.fix })
  }
  if (own.length === 0) return findings
  return [...findings, { id, status: 'ok', title: id, detail: `your own: ${own.map(({ name }) => name).join(', ')}` }]
}
