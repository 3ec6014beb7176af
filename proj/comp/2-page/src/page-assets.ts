import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HermesError } from '../../0-contracts/src/index.js'

/** Where a build puts the pages: seen from an entry, from a chunk, and from the sources. */
const PLACES = ['./pages', '../pages', '../../../../dist/pages']

export interface PageAssets {
  script: string
  style: string
}

/**
 * The bundled script of a page, and the style that all pages have.
 *
 * @param name of the page: its entry is `<name>.tsx`
 * @throws HermesError `NOT_INSTALLED` where the package was not built
 */
export function readPageAssets(name: string): PageAssets {
  const place = PLACES.map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(join(path, `${name}.js`)))
  if (place === undefined) {
    throw new HermesError('NOT_INSTALLED', `The page ${name} is not there`, { hint: 'Build the package, or install it '
      + 'anew: npm run build.' })
  }
  const style = join(place, `${name}.css`)
  return {
    script: readFileSync(join(place, `${name}.js`), 'utf8'),
    style: readFileSync(existsSync(style) ? style : join(place, 'page.css'), 'utf8'),
  }
}
