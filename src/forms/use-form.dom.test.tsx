import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'

import { createReport } from '#contract/reports.ts'
import { ApiError } from '#src/api/errors.ts'
import { useForm } from './use-form.ts'

type Report = { title: string; description: string }
type Props = { send: (report: Report) => Promise<unknown>; onSent?: (answer: unknown) => unknown }

const schema = createReport.body.pick({ title: true, description: true }).required()

function ReportForm({ send, onSent }: Props) {
  const form = useForm({
    initialValues: { title: '', description: '' },
    schema,
    toBody: (report) => report,
    send,
    onSent,
    conflictField: 'title',
  })
  const title = form.getInputProps('title')
  const description = form.getInputProps('description')
  return (
    <form onSubmit={form.submit} aria-busy={form.isPending}>
      <input data-path="title" value={title.value} onChange={title.onChange} />
      <input data-path="description" value={description.value} onChange={description.onChange} />
      <output>{title.error}</output>
      <p>{form.failure?.message}</p>
    </form>
  )
}

/** Waits until the check passes, even on a busy machine. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })

const client = new QueryClient()
let leave = () => {}

afterEach(() => {
  leave()
  client.clear()
})

/** Shows the form and acts on it as a person does. */
async function show(props: Props) {
  const page = document.body.appendChild(document.createElement('div'))
  const root = createRoot(page)
  leave = () => {
    root.unmount()
    page.remove()
  }
  root.render(
    <QueryClientProvider client={client}>
      <ReportForm {...props} />
    </QueryClientProvider>,
  )
  await until(() => expect(page.querySelector('form')).not.toBeNull())
  const find = (selector: string) => page.querySelector(selector)
  return {
    type(field: keyof Report, text: string) {
      const input = find(`[data-path=${field}]`)
      // React notices a change only through the setter of the element's class.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
      input?.dispatchEvent(new Event('input', { bubbles: true }))
    },
    submit: () => find('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })),
    value: (field: keyof Report) => find(`[data-path=${field}]`)?.getAttribute('value'),
    focused: () => document.activeElement?.getAttribute('data-path'),
    isBusy: () => find('form')?.getAttribute('aria-busy') === 'true',
    titleError: () => find('output')?.textContent,
    failure: () => find('p')?.textContent,
  }
}

const refusal = (path: string) =>
  new ApiError('invalid_argument', `\`${path}\` is not accepted`, { issues: [{ path, message: 'is not accepted' }] })

test('a value that the contract refuses is reported at its field, which gets the focus, and nothing is sent', async () => {
  const send = vi.fn(async () => {})
  const page = await show({ send })
  page.submit()
  await until(() => expect(page.titleError()).toBe('must not be blank'))
  expect(page.focused()).toBe('title')
  page.type('title', 'x')
  await until(() => expect(page.titleError()).toBe(''))
  expect(send).not.toHaveBeenCalled()
})

test('a refusal of the platform appears at the field that it names, and the values stay', async () => {
  const send = vi.fn(() => Promise.reject(refusal('title')))
  const page = await show({ send })
  page.type('title', 'Findings')
  page.submit()
  await until(() => expect(page.titleError()).toBe('is not accepted'))
  expect([page.failure(), page.focused(), page.value('title')]).toEqual(['', 'title', 'Findings'])
})

test('of several fields with errors, the first on the page gets the focus', async () => {
  const issues = ['description', 'title'].map((path) => ({ path, message: 'is not accepted' }))
  const page = await show({ send: () => Promise.reject(new ApiError('invalid_argument', 'Not accepted', { issues })) })
  page.type('title', 'Findings')
  page.submit()
  await until(() => expect(page.focused()).toBe('title'))
})

test('a refusal that no field can show appears above the buttons until the next submit', async () => {
  let refuse = true
  const page = await show({ send: () => (refuse ? Promise.reject(refusal('bodyMarkdown')) : Promise.resolve()) })
  page.type('title', 'Findings')
  page.submit()
  await until(() => expect(page.failure()).toBe('`bodyMarkdown` is not accepted'))
  expect([page.titleError(), page.value('title')]).toEqual(['', 'Findings'])
  refuse = false
  page.submit()
  await until(() => expect(page.failure()).toBe(''))
})

test('a conflict appears at the field that must be unique', async () => {
  const page = await show({ send: () => Promise.reject(new ApiError('already_exists', 'This title is taken')) })
  page.type('title', 'Findings')
  page.submit()
  await until(() => expect(page.titleError()).toBe('This title is taken'))
  expect(page.failure()).toBe('')
})

test('a second submit while the first is being sent sends nothing', async () => {
  const answer = Promise.withResolvers<string>()
  const send = vi.fn(() => answer.promise)
  const onSent = vi.fn()
  const page = await show({ send, onSent })
  page.type('title', 'Findings')
  page.submit()
  page.submit()
  await until(() => expect(page.isBusy()).toBe(true))
  page.submit()
  answer.resolve('created')
  await until(() => expect(page.isBusy()).toBe(false))
  expect(send).toHaveBeenCalledTimes(1)
  expect(onSent.mock.calls).toEqual([['created']])
})

test('a form can be sent again after a failure', async () => {
  const send = vi.fn(async () => {}).mockRejectedValueOnce(new ApiError('unreachable', 'No connection'))
  const page = await show({ send })
  page.type('title', 'Findings')
  page.submit()
  await until(() => expect(page.failure()).toBe('No connection'))
  page.submit()
  await until(() => expect(send).toHaveBeenCalledTimes(2))
  expect(send).toHaveBeenLastCalledWith({ title: 'Findings', description: '' })
})

test('no cache has what a person typed', async () => {
  const page = await show({ send: () => Promise.reject(refusal('title')) })
  page.type('title', 'a password')
  page.submit()
  await until(() => expect(page.titleError()).toBe('is not accepted'))
  const mutations = client.getMutationCache().getAll()
  expect(mutations.length).toBeGreaterThan(0)
  expect(JSON.stringify(mutations.map(({ state }) => state))).not.toContain('a password')
})
