import { expect, test, vi } from 'vitest'
import { Markdown } from './deferred-markdown'
import { preloadReplies } from './preload-replies'

// The code that draws replies is fetched once it is needed: with the first thing of the graph that the thread has not drawn.

/** Something of the graph, as the pointer finds it. */
function inGraph(look: string): Element {
  document.body.insertAdjacentHTML('beforeend', `<div ${look}><b></b></div>`)
  return document.body.lastElementChild?.firstElementChild as Element
}

test.each([
  ['a message that stands nowhere in the thread', 'data-graph-node="far"'],
  ['a message that is drawn when it is seen', 'data-graph-node="later"'],
  ['a branch', 'data-branch="main-v2"'],
])('is fetched for %s, and not for a drawn one', (_, look) => {
  const preload = vi.spyOn(Markdown, 'preload').mockClear()
  document.body.innerHTML = `
    <article data-message-id="here">What is 2+2?</article>
    <article data-message-id="later"><div data-drawn-later="">4</div></article>`
  for (const drawn of ['data-graph-node="here"', 'class="pane"']) preloadReplies({ target: inGraph(drawn) })
  expect(preload).not.toHaveBeenCalled()
  preloadReplies({ target: inGraph(look) })
  expect(preload).toHaveBeenCalledOnce()
})
