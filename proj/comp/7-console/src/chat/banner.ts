import { homedir } from 'node:os'
import type { Palette } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { cutToWidth } from '../../../2-terminal/src/index.js'

export interface BannerFacts {
  version: string
  model: string
  /** `undefined` where the style's default applies. */
  toolsets: readonly string[] | undefined
  tools: number
  skills: number
  root: string
  sandbox: string
  session: string
}

/** The rows shown first: model, tools, and where it works. */
export function bannerRows(facts: BannerFacts, { palette, columns }: { palette: Palette; columns: number }): string[] {
  const { version, model, toolsets, tools, skills, root, session, sandbox } = facts
  const width = columns - 1
  const list: [name: string, value: string][] = [
    ['Model', model],
    ['Tools', `${tools}${toolsets === undefined ? '' : ` (${toolsets.join(', ')})`}`],
    ['Skills', skills === 0 ? 'none' : String(skills)],
    ['Root', homeShort(root)],
    ['Sandbox', sandbox],
    ['Session', session],
  ]
  return [
    palette.strong(cutToWidth(`hermes ${version}`, width)),
    ...list.map(([name, value]) => {
      const label = name.padEnd(9)
      return `${palette.faint(label)}${cutToWidth(escapeControls(value), Math.max(2, width - label.length))}`
    }),
    palette.faint(cutToWidth('/help shows the commands; Ctrl-C stops an answer, twice leaves', width)),
    '',
  ]
}

function homeShort(path: string): string {
  const home = homedir()
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
