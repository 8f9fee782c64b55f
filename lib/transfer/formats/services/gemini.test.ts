import { describe, expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

const together =
  'The export does not say which questions belong together: questions less than 30 minutes apart are one chat.'

describe('a request to the API of Google', () => {
  test('is a list of contents', async () => {
    const { source, chat } = await readFixture('formats/gemini-api.json')
    expect(source).toBe('messages')
    expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
    expect(chat.problems).toEqual([])
  })

  test('has thoughts, files, calls and answers as parts', async () => {
    const { chat } = await readFixture('formats/gemini-list.json')
    expect(drawn(chat)).toEqual(['user: hello <image/png>', '  assistant: (thought) f! hi'])
    expect(chat.messages[1]?.parts[1]).toMatchObject({ input: { a: 1 }, output: { r: 2 } })
    expect(chat.problems).toEqual([])
  })

  test('has its instructions and code beside, and its tools are told', async () => {
    const chat = await readChat({
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'a', description: 'does a thing' }, { name: 'b' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'sum?' }, { fileData: { fileUri: 'https://example.org/a.pdf' } }] },
        {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: 'print(1 + 1)' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
            { text: 'Two.' },
          ],
        },
        { role: 'function', parts: [{ functionResponse: { name: 'a', response: { done: true } } }] },
      ],
    })
    expect(drawn(chat)).toEqual([
      'system: Be brief.',
      '  user: sum? [File](https://example.org/a.pdf)',
      '    assistant: code_execution! Two.',
      '      assistant: a!',
    ])
    expect(chat.problems).toEqual([
      'The definitions of 2 tools are left out: connect the tools here to call them again.',
    ])
  })
})

describe('a prompt of Google AI Studio', () => {
  const prompt = (...chunks: object[]) => ({
    runSettings: { model: 'models/gemini-2.5-pro', temperature: 1 },
    systemInstruction: { text: 'Be brief.' },
    chunkedPrompt: { chunks, pendingInputs: [{ text: '', role: 'user' }] },
  })

  test('has a chunk for each thought, file and text of a turn, and its file says its title', async () => {
    const file = prompt(
      { role: 'user', driveDocument: { id: '1aB' }, tokenCount: 9 },
      { role: 'user', text: 'look at it', tokenCount: 3 },
      { role: 'model', text: 'I look', isThought: true, thinkingBudget: -1 },
      {
        role: 'model',
        text: 'Seen it.',
        finishReason: 'STOP',
        grounding: { groundingSources: [{ uri: 'https://example.org/', title: 'T' }] },
      },
    )
    const { source, chats } = await readAll('My prompt', JSON.stringify(file))
    expect(source).toBe('ai-studio')
    expect(chats.map(drawn)).toEqual([
      ['user: [File: not in the export] look at it', '  assistant: (I look) Seen it.'],
    ])
    expect(chats[0]).toMatchObject({ title: 'My prompt', instructions: 'Be brief.' })
    expect(chats[0]?.messages[1]?.model).toBe('gemini-2.5-pro')
    expect(chats[0]?.messages[1]?.parts.at(-1)).toMatchObject({ url: 'https://example.org/' })
  })

  test('has no ending, and is found in a zip', async () => {
    const bytes = Buffer.from(JSON.stringify(prompt({ role: 'user', text: 'hi' })))
    const zip = zipOf([{ name: 'Takeout/Drive/Google AI Studio/My prompt', bytes }])
    const { chats, problems } = await readAll('takeout.zip', zip)
    expect(chats.map(({ title }) => title)).toEqual(['My prompt'])
    expect(problems).toEqual([])
  })

  test('has parts in place of a text, code, pictures and errors', async () => {
    const chat = await readChat(
      prompt(
        { role: 'user', inlineImage: { mimeType: 'image/png', data: 'AAAA' } },
        { role: 'user', youtubeVideo: { id: 'abc' } },
        { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'A dot.' }] },
        { role: 'model', executableCode: { language: 'PYTHON', code: 'print(1)' } },
        { role: 'model', codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        { role: 'user', text: 'more' },
        { role: 'model', errorMessage: 'The quota is used up' },
      ),
    )
    expect(drawn(chat)).toEqual([
      'user: <image/png> [Video](https://www.youtube.com/watch?v=abc)',
      '  assistant: (hm) A dot. code_execution!',
      '    user: more',
      '      assistant: Error: The quota is used up',
    ])
    expect(chat.problems).toEqual([])
  })

  test('tells a draft that was not sent, and that it is a branch of another', async () => {
    const file = prompt({ role: 'user', text: 'hi', branchParent: { promptId: 'x', displayName: 'Boats' } })
    const draft = { text: 'a draft of words', role: 'user' }
    const chat = await readChat({
      ...file,
      chunkedPrompt: { ...file.chunkedPrompt, pendingInputs: [draft] },
    })
    expect(chat.problems).toEqual([
      'A message that was written but not sent is left out.',
      'It is a branch of “Boats”, which has a file of its own.',
    ])
  })
})

describe('the activities of Google Takeout', () => {
  const activity = (title: string, time: string, html?: string, more: object = {}) => ({
    header: 'Gemini Apps',
    title,
    time: `2025-03-01T${time}.000Z`,
    products: ['Gemini Apps'],
    activityControls: ['Gemini Apps Activity'],
    ...(html && { safeHtmlItem: [{ html }] }),
    ...more,
  })

  test('are a question and its reply as Markdown', async () => {
    const { source, chat } = await readFixture('formats/gemini-takeout.json')
    expect(source).toBe('gemini')
    expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
    expect(chat).toMatchObject({ createdAt: new Date('2025-03-01T10:00:00Z'), problems: [] })
  })

  test('are a chat for each sitting, and what was done beside asking is a note that no model is sent', async () => {
    const list = [
      activity('Prompted and then?', '12:10:00', '<p>It is <strong>noon</strong>.</p><ul><li>a</li></ul>'),
      activity('Gave feedback: Good response', '12:05:00'),
      activity('Asked Bard: what time is it', '12:00:00', '<p>Late.</p>'),
      activity('Prompted hello', '09:00:00'),
    ]
    const { chats } = await readAll('MyActivity.json', JSON.stringify(list))
    expect(chats.map(drawn)).toEqual([
      [
        'user: what time is it',
        '  assistant: Late.',
        '    system: Gave feedback: Good response',
        '      user: and then?',
        '        assistant: It is **noon**.\n\n- a',
      ],
      ['user: hello'],
    ])
    expect(chats[0]?.messages.map(({ isHidden }) => isHidden)).toEqual([false, false, true, false, false])
    expect(chats.map(({ problems }) => problems)).toEqual([[together], []])
  })

  test('of a later export give the chat the same id', async () => {
    const [later, earlier] = [
      activity('Prompted b', '10:10:00', '<p>x</p>'),
      activity('Prompted a', '10:00:00'),
    ]
    const first = await readChat([earlier])
    expect((await readChat([later, earlier])).id).toBe(first.id)
  })

  test('of other products are told, and files beside are found', async () => {
    const list = [
      activity('Prompted look', '10:00:00', '<p>A dot.</p>', { attachedFiles: ['dot.png'] }),
      { header: 'YouTube', title: 'Watched a film', time: '2025-03-01T08:00:00Z' },
    ]
    const folder = 'Takeout/My Activity/Gemini Apps'
    const zip = zipOf([
      { name: `${folder}/MyActivity.json`, bytes: Buffer.from(JSON.stringify(list)) },
      { name: `${folder}/dot.png`, bytes: Buffer.from('png') },
    ])
    const { chats, problems } = await readAll('takeout.zip', zip)
    expect(chats.map(drawn)).toEqual([['user: <dot.png> look', '  assistant: A dot.']])
    expect(chats[0]?.problems).toEqual([
      '1 activity of the file is of another product than Gemini. It is left out.',
    ])
    expect(problems).toEqual([])
  })

  const cell = (body: string, product = 'Gemini Apps') =>
    `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">${product}<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">${body}</div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div><div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;${product}<br></div></div></div>`
  const page = (...cells: string[]) =>
    `<!doctype html><html><body><div class="mdl-grid">${cells.join('')}</div></body></html>`

  test('stand on a page too, with files, dates of a zone and new lines in a question', async () => {
    const { source, chats } = await readAll(
      'MyActivity.html',
      page(
        cell(
          'Prompted&nbsp;a<br>table?<br>Attached 1 file.<br>-&nbsp;<a href="dot.png">dot.png</a><br>Mar 1, 2025, 10:05:00&#8239;AM CET<br><table><tr><th>a</th><th>b</th></tr><tr><td>1&lt;2</td><td>2</td></tr></table><pre><code>let a\n  = 1</code></pre>',
        ),
        cell(
          'Prompted&nbsp;hello<br>Mar 1, 2025, 10:00:00&#8239;AM CET<br><ol><li><p>one</p></li><li>two</li></ol>',
        ),
        cell('Watched&nbsp;a film<br>Mar 1, 2025, 10:00:00&#8239;AM CET<br>', 'YouTube'),
      ),
    )
    expect(source).toBe('gemini')
    expect(chats.map(drawn)).toEqual([
      [
        'user: hello',
        '  assistant: 1. one\n2. two',
        '    user: [Picture dot.png: not in the export] a\ntable?',
        '      assistant: | a | b |\n| --- | --- |\n| 1<2 | 2 |\n\n```\nlet a\n  = 1\n```',
      ],
    ])
    expect(chats[0]?.messages[2]?.createdAt).toEqual(new Date('2025-03-01T09:05:00Z'))
    expect(chats[0]?.problems).toEqual([
      '1 file is named but is not part of the export. The text says where it was.',
      '1 activity of the file is of another product than Gemini. It is left out.',
      together,
    ])
  })

  test('stand on a page in another language', async () => {
    const { chats } = await readAll(
      'MyActivity.html',
      page(cell('Pokyn&nbsp;kolik je hodin<br>1. 3. 2025 10:00:00\n SEČ<br><p>Deset.</p>')),
    )
    expect(chats.map(drawn)).toEqual([['user: kolik je hodin', '  assistant: Deset.']])
    expect(chats[0]).toMatchObject({ createdAt: new Date('2025-03-01T09:00:00Z'), problems: [] })
  })
})
