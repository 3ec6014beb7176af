import { type Copied, PlainText, TextToCopy } from '../../../2-page/src/page/index.js'
import type { ReviewState } from '../review-state.js'
import type { Link } from './connection.js'
import { NothingLivePanel } from './nothing-panel.js'
import { PromptBox } from './prompt-box.js'

/** What the user should know first: questions of the run, what has changed, and that the connection is lost. */
export function Banner({ state, link, problem, copied }: {
  state: ReviewState
  link: Link
  problem: string | undefined
  copied: Copied | undefined
}) {
  const { prompts, notice, phase, settings, items, others, nothing } = state
  return <div class="review-banner">
    {phase !== 'ended' && link === 'lost'
      && <p class="notice lost" role="alert">
        The connection to hermes is lost. What is shown may be old; it is tried again.
      </p>}
    {phase === 'ended' && <p class="notice" role="status">hermes has ended. This page can be closed.</p>}
    {prompts.map((prompt) => <PromptBox key={prompt.id} prompt={prompt} />)}
    {notice && <div class={`notice ${notice.kind}`} role={notice.kind === 'done' ? 'status' : 'alert'}>
      <p><PlainText text={notice.text} /></p>
      {notice.hint !== undefined && <p class="more-words"><PlainText text={notice.hint} /></p>}
    </div>}
    {problem !== undefined && phase !== 'ended'
      && <p class="notice refused" role="alert"><PlainText text={problem} /></p>}
    {phase === 'ran' && copied?.isCopied === false && <TextToCopy copied={copied} what="the reply" />}
    {phase === 'review' && nothing && <NothingLivePanel nothing={nothing}
      isMoreListed={items.length + others.length > 0} isMendable={items.some(({ mendable }) => mendable)} />}
    {phase === 'review' && <p class="settings">
      {nothing || items.length === 0 ? ''
        : 'Nothing has run yet: this is what the ticked blocks would do, one after the other. '}
      <PlainText text={settings.join(' · ')} />
    </p>}
  </div>
}
