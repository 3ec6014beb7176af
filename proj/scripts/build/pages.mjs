/** Writes dist/pages: what runs in a browser, a script each in one piece, and the style that lies beside its source. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, moduleIdsOf, root } from './bundle.mjs'

const PAGES = {
  report: 'proj/comp/2-page/src/page/report.tsx', review: 'proj/comp/6-review/src/page/review.tsx',
  playground: 'proj/comp/6-playground/src/page/playground.tsx',
}
const COMMON_STYLE = 'proj/comp/2-page/src/page/page.css'

/** @returns the ids of the modules they hold */
export async function writePages(dist) {
  const place = join(dist, 'pages')
  mkdirSync(place)
  const moduleIds = await Promise.all(Object.entries(PAGES).map(async ([name, source]) => {
    const own = source.replace(/[^/]+$/, `${name}.css`)
    const styles = [COMMON_STYLE, own].filter((file) => existsSync(join(root, file)))
    writeFileSync(join(place, `${name}.css`), styles.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'))
    return moduleIdsOf(await bundle({
      input: join(root, source),
      platform: 'browser',
      transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      output: { file: join(place, `${name}.js`), format: 'iife', minify: true, comments: { legal: true } },
    }))
  }))
  return moduleIds.flat()
}
