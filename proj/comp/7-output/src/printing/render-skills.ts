import type { Skill } from '../../../4-verb-session/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { createPalette, plural } from '../../../1-reports/src/index.js'

/** Skills by category. @param problems folders that cannot be used */
export function renderSkills(shown: readonly Skill[], problems: number, { colour }: { colour: boolean }): string {
  const { accent, faint, strong } = createPalette(colour)
  const width = Math.max(0, ...shown.map(skill => skill.name.length)) + 2
  const groups = [...new Set(shown.map(skill => skill.category))].sort().map(of => [
    strong(of),
    ...shown.filter(skill => skill.category === of).map(skill => (
      `  ${accent(skill.name.padEnd(width))}${skill.description}${skill.source === 'user' ? faint('  yours') : ''}`
    )),
  ].join('\n'))
  const count = `${plural(shown.length, 'skill')}. `
    + `${shown.length === 0 ? 'hermes skills new NAME makes one.' : 'hermes skills show NAME shows one.'}`
  const hidden = problems === 0 ? ''
    : ` ${plural(problems, 'folder')} cannot be used: hermes skills check.`
  return `${[...groups, faint(count + hidden)].join('\n\n')}\n`
}

/** What there is to say of a skill. @param files that it has besides */
export function renderSkill(skill: Skill, files: readonly string[], { colour }: { colour: boolean }): string {
  const { strong, faint } = createPalette(colour)
  const line = (label: string, values: readonly string[]): string[] => (values.length === 0 ? []
    : [faint(`${label}: ${values.map(value => escapeControls(value)).join(', ')}`)])
  return [
    `${strong(skill.name)}  ${skill.description}`, faint(escapeControls(skill.directory)),
    ...line('version', skill.version === undefined ? [] : [skill.version]), ...line('tags', skill.tags),
    ...line('goes with', skill.related), ...line('files', files),
  ].join('\n')
}
