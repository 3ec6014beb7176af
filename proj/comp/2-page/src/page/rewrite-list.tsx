import { useContext } from 'preact/hooks'
import type { PageRewrite } from '../run-page-model.js'
import { Visible } from './code-text.js'
import { DiffView } from './diff-view.js'
import { ViewContext } from './view.js'

/** What extensions made of the answer before it was read. @param isOpen nothing has run: look at it first */
export function RewriteList({ rewrites, isOpen }: { rewrites: readonly PageRewrite[]; isOpen: boolean }) {
  const { isPrinting } = useContext(ViewContext)
  if (rewrites.length === 0) return null
  return <section class="rewrites" aria-label="Changed by extensions">
    {rewrites.map(({ title, change }, index) => (
      <details key={index} open={isOpen || isPrinting}>
        <summary>{'The answer is '}<Visible text={title} /></summary>
        <DiffView change={change} place={`rewrite ${index}`} />
      </details>
    ))}
  </section>
}
