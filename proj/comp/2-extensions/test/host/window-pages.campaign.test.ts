import { expect, it } from 'vitest'
import { describeWithChromium } from '../../../../test/support/chromium.js'
import { servePage } from '../../src/host/page-server.js'

const PAGE = `<!doctype html><title>Choose</title><link rel="icon" href="data:,"><button>Take it</button><p></p><script>
document.querySelector('button').onclick = async () => {
  const { status } = await fetch('message', { method: 'POST', body: JSON.stringify({ taken: true, origin }) })
  document.querySelector('p').textContent = status
}
</script>`

describeWithChromium('a page of an extension', chromium => {
  it('tells the extension what the user clicked, though its origin is nobody', async () => {
    const said: unknown[] = []
    const served = await servePage(PAGE, data => said.push(data))
    const page = await chromium.page()
    await page.goto(served.url)
    await page.click('button')
    await expect.poll(async () => page.textContent('p')).toBe('204')
    expect(said).toEqual([{ taken: true, origin: 'null' }])
    await served.close()
  })
})
