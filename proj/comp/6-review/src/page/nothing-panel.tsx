import { useState } from 'preact/hooks'
import { copyText, PlainText, TextToCopy, Visible } from '../../../2-page/src/page/index.js'
import type { ReviewState } from '../review-state.js'

/** In an answer in which nothing can run: what was found in its place, and what to do. */
export function NothingLivePanel({ nothing, isMoreListed, isMendable }: {
  nothing: NonNullable<ReviewState['nothing']>
  /** There are cards of what is quoted or cannot be read. */
  isMoreListed: boolean
  isMendable: boolean
}) {
  const [copied, setCopied] = useState<boolean>()
  const { fences, moreFences, flags, reply } = nothing
  const copy = async (): Promise<void> => setCopied(await copyText(reply))
  return <section class="nothing-live notice changed" aria-labelledby="nothing-live">
    <h2 id="nothing-live">Nothing in this answer can run</h2>
    {fences.length > 0 && <>
      <p>{fences.length + moreFences === 1 ? 'A code fence that is text to hermes:'
        : `${fences.length + moreFences} code fences that are text to hermes:`}</p>
      <ul>{fences.map(({ line, text }) => <li key={line}>{`line ${line}: `}<code><Visible text={text} /></code></li>)}
        {moreFences > 0 && <li>{`${moreFences} more`}</li>}</ul>
    </>}
    {isMoreListed && <p>Blocks that are quoted or that cannot be read are listed below, with the reason.</p>}
    <h3>What to do</h3>
    <ul>
      {isMendable && <li>Put the fix of a block below in place: <em>Mend</em>, or the key <kbd>m</kbd>.</li>}
      {flags.map((flag) => <li key={flag}>Start the review again with <code><Visible text={flag} /></code>: then it is
        read.</li>)}
      <li>{flags.length > 0 ? 'Or tell' : 'Tell'}{' the model, and review its next answer: '}
        <button type="button" class="button" onClick={() => void copy()}>Copy what to tell it</button>{' '}
        <span role="status">{copied === true ? 'Copied.' : ''}</span></li>
      <li>Next time tell it beforehand how blocks are written: <code>hermes prompt</code> prints that.</li>
    </ul>
    {copied === false ? <TextToCopy copied={{ text: reply, isCopied: false }} what="the text" />
      : <details><summary>What to tell the model</summary><pre class="command" tabIndex={0}
        aria-label="What to tell the model"><PlainText text={reply} isWhole /></pre></details>}
  </section>
}
