import type { ExplainedField } from '../../../2-config/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { createPalette } from '../../../1-reports/src/index.js'

/** Each value that counts and the line that says so. */
export function renderSettings(
  fields: readonly ExplainedField[], warnings: readonly string[], { colour }: { colour: boolean },
): string {
  const { faint, note } = createPalette(colour)
  const shown = fields.filter(({ values }) => values.length > 0)
  const names = Math.max(...shown.map(({ name }) => name.length)) + 2
  const values = Math.min(Math.max(...shown.flatMap((field) => field.values.map(({ value }) => value.length))) + 2, 40)
  const unset = fields.filter((field) => field.values.length === 0).map(({ name }) => name)
  return [
    ...shown.flatMap((field) => field.values.map(({ value, from }, index) => (
      `${(index === 0 ? field.name : '').padEnd(names)}${escapeControls(value).padEnd(values - 2)}  `
        + `${from === 'default' ? faint(from) : escapeControls(from)}`
    ))),
    ...(unset.length === 0 ? [] : ['', faint(`Not set: ${unset.join(', ')}.`)]),
    ...(warnings.length === 0 ? [] : ['', ...warnings.map((warning) => note(escapeControls(warning)))]),
    '',
  ].join('\n')
}
