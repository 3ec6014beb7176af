import * as v from 'valibot'
import { readCheckedYaml } from '../../../2-config/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { NAME, type Skill } from './skill.js'

const HINT = 'SKILL.md begins with --- and lines such as name: and description:, and another ---.'
const MAX_DESCRIPTION = 1024
const MAX_WORDS = 50

const NAMES = v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(MAX_WORDS)))
/** Other fields are for other tools. */
const FRONT_MATTER = v.looseObject({
  name: v.optional(v.pipe(v.string(), v.regex(NAME, 'Expected letters, digits, dots, _ and -, at most 64'))),
  description: v.pipe(
    v.string(), v.trim(), v.minLength(1, 'Expected a line that says what the skill is for'),
    v.maxLength(MAX_DESCRIPTION),
  ),
  tags: NAMES,
  related_skills: NAMES,
  version: v.optional(v.union([v.string(), v.number()])),
})

export interface FrontMatter extends Pick<Skill, 'description' | 'tags' | 'related' | 'version'> {
  name: string | undefined
}

/**
 * Reads the YAML between two lines `---` at the start of a text, and returns the rest as well.
 *
 * @param name of the file, for messages
 * @throws HermesError `INVALID_OPTION`
 */
export async function readFrontMatter(text: string, name: string): Promise<{ front: FrontMatter; body: string }> {
  const [all = '', yaml = ''] = /^\uFEFF?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|$)/ms.exec(text) ?? []
  if (all === '') throw new HermesError('INVALID_OPTION', `${name}:1:1: no front matter`, { hint: HINT })
  const { values } = await readCheckedYaml({
    // With a line before it, so that line numbers are the file's.
    text: `\n${yaml}`, name, code: 'INVALID_OPTION', hint: HINT,
  }, FRONT_MATTER)
  const { name: own, description, tags = [], related_skills: related = [], version } = values
  return {
    front: {
      name: own, description: oneLine(description), tags: tags.map(oneLine), related: related.map(oneLine),
      version: version === undefined ? undefined : oneLine(String(version)),
    },
    body: text.slice(all.length),
  }
}

/** As one line, for lists. */
function oneLine(text: string): string {
  return escapeControls(text.replace(/\s+/g, ' ').trim())
}
