/** Writes dist/types: a declaration file for each entry of the library, of what can be reached from it. */
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { root } from './bundle.mjs'

/** @param entries names of files in proj/src */
export async function writeDeclarations(dist, entries) {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name, join(root, 'proj', 'src', `${name}.ts`)])),
    external: [/^node:/, 'valibot'],
    checks: { pluginTimings: false },
    plugins: [dts({ tsconfig: join(root, 'proj', 'tsconfig.build.json'), emitDtsOnly: true })],
  })
  try {
    await bundle.write({
      dir: join(dist, 'types'), format: 'esm', chunkFileNames: 'shared/[name].d.ts',
      // `await using` is younger than the library of types that most projects name.
      banner: '/// <reference lib="esnext.disposable" />',
    })
  } finally {
    await bundle.close()
  }
}
