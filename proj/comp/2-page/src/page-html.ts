import { createHash } from 'node:crypto'
import { escapeHtml } from './static/markup.js'

export interface PageParts {
  title: string
  /** The bundled script and style of the page. */
  script: string
  style: string
  /** What the page is given, by the id of its element: `{ model }`. */
  data: Readonly<Record<string, unknown>>
  /** What is shown where scripts do not run: markup in which all text is escaped. */
  withoutScripts: string
  /** The page may start its own script once more as a worker. Default false. */
  works?: boolean
}

/**
 * A page in one file: nothing is loaded from elsewhere, and its policy lets nothing run but the script given, not even
 * by a mistake of that script (trusted types). What comes from a run is JSON, which is data to the browser.
 */
export function pageHtml({ title, script, style, data, withoutScripts, works }: PageParts): string {
  const code = script.replace(/<\/(?=script)/gi, String.raw`<\/`).replaceAll('<!--', String.raw`\x3C!--`)
  const elements = Object.entries(data).map(([id, value]) => (
    `<script type="application/json" id="${escapeHtml(id)}">${inertJson(value)}</script>\n`
  ))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(code, style, works)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>${withoutScripts}</noscript>
${elements.join('')}<script>${code}</script>
</body>
</html>
`
}

/** The content security policy of a page with this script and style and no other. */
function pagePolicy(script: string, style: string, works = false): string {
  return [
    "default-src 'none'", `script-src '${hashOf(script)}'`, `style-src '${hashOf(style)}'`, 'img-src data:',
    ...(works ? ['worker-src blob:'] : []), "base-uri 'none'", "form-action 'none'",
    "require-trusted-types-for 'script'", `trusted-types ${works ? 'own-worker' : "'none'"}`,
  ].join('; ')
}

/** JSON in which nothing ends the element it stands in, or begins a comment. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
