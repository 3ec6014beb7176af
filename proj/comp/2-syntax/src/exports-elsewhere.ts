import type { LanguageId } from './language-id.js'

const SCRIPTS = new Set<LanguageId>(['javascript', 'typescript', 'tsx', 'vue', 'svelte', 'astro'])
const LISTS = /\bexport\s*(?:type\s*)?\{([^}]*)\}|\bmodule\.exports\s*=\s*\{([^}]*)\}/g
const SINGLE = /\b(?:export\s+default|export\s*=|module\.exports(?:\.\w+)?\s*=|exports\.\w+\s*=)\s*([\w$]+)/g

/** Whether a text exports a name by a statement of its own, beside its declaration. */
export function exportsElsewhere(language: LanguageId, text: string): (name: string) => boolean {
  if (!SCRIPTS.has(language)) return () => false
  const names = new Set([
    ...[...text.matchAll(LISTS)].flatMap(([, list, other]) => (list ?? other ?? '').match(/[\w$]+/g) ?? []),
    ...[...text.matchAll(SINGLE)].map(([, name = '']) => name),
  ])
  return (name) => names.has(name)
}
