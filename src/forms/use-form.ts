import { type FormErrors, schemaResolver, useForm as useFormValues, type UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import type { z } from 'zod'

import { isApiError } from '#src/api/errors.ts'

type Options<Values, Body, Answer> = {
  initialValues: Values
  /** The contract's schema of the body. */
  schema: z.ZodType<unknown, Body>
  toBody: (values: Values) => NoInfer<Body>
  send: (body: NoInfer<Body>) => Promise<Answer>
  /** The form counts as sending until this has finished. */
  onSent?: (answer: NoInfer<Answer>) => unknown
  /**
   * The field that shows an error at this path of the body. Default: the field with the name of the path's first part.
   * Errors that no field shows are left to the platform, and its refusal becomes the form's `failure`.
   */
  fieldOf?: (path: string, values: Values) => string | undefined
  /** The field that must be unique: it shows an `already_exists`. */
  conflictField?: keyof Values & string
  /** Checks each field while it is typed, for values with a format that most people do not know. */
  checkWhileTyping?: boolean
  onValuesChange?: (values: Values) => void
}

/** `submit` is for `<form onSubmit>`, `isPending` for the button, and `failure` for an `ErrorNotice` above it. */
export type Form<Values> = UseFormReturnType<Values> & {
  submit: (event?: SyntheticEvent<HTMLFormElement>) => void
  isPending: boolean
  isSent: boolean
  failure: Error | null
  clearFailure: () => void
}

/**
 * Validates exactly the body that is sent, by the contract's schema. The platform's refusal appears at the fields it
 * names, or else as `failure`. While the form sends, another submit does nothing. The values are never in a cache.
 */
export function useForm<Values extends Record<string, unknown>, Body, Answer>({
  initialValues,
  schema,
  toBody,
  send,
  onSent,
  fieldOf = (path) => namedField(path, initialValues),
  conflictField,
  checkWhileTyping = false,
  onValuesChange,
}: Options<Values, Body, Answer>): Form<Values> {
  const [failure, setFailure] = useState<Error | null>(null)
  const isSending = useRef(false)
  const element = useRef<HTMLFormElement>(null)
  const findFaults = schemaResolver(schema, { sync: true })
  const form = useFormValues<Values>({
    initialValues,
    validateInputOnChange: checkWhileTyping,
    validate: (values) => atFields(Object.entries(findFaults(toBody(values))), (path) => fieldOf(path, values)),
    onValuesChange,
  })

  const showRefusal = (error: Error) => {
    const faults = faultsOf(error, conflictField)
    const fieldAt = (path: string) => (path === conflictField ? path : fieldOf(path, form.getValues()))
    const errors = atFields(faults, fieldAt)
    form.setErrors(errors)
    focusFirst(errors, element.current)
    const isShown = faults.length > 0 && faults.every(([path]) => fieldAt(path) !== undefined)
    setFailure(isShown ? null : error)
  }
  const sending = useMutation({
    mutationFn: () => send(toBody(form.getValues())),
    onSuccess: (answer) => onSent?.(answer),
    onError: showRefusal,
    onSettled: () => {
      isSending.current = false
    },
    gcTime: 0,
  })
  const start = () => {
    isSending.current = true
    setFailure(null)
    sending.mutate()
  }
  const submit = (event?: SyntheticEvent<HTMLFormElement>) => {
    event?.preventDefault()
    if (isSending.current) return
    if (event) element.current = event.currentTarget
    form.onSubmit(start, (errors) => focusFirst(errors, element.current))(event)
  }
  const { isPending, isSuccess } = sending
  return { ...form, submit, isPending, isSent: isSuccess, failure, clearFailure: () => setFailure(null) }
}

type Fault = readonly [path: string, message: ReactNode]

function namedField(path: string, values: Record<string, unknown>) {
  const [name = ''] = path.split('.')
  return Object.hasOwn(values, name) ? name : undefined
}

const faultsOf = (error: Error, conflictField: string | undefined): Fault[] => {
  if (conflictField !== undefined && isApiError(error, 'already_exists')) return [[conflictField, error.message]]
  return isApiError(error) ? error.issues.map(({ path, message }) => [path, message]) : []
}

/** Each field shows its first error. */
function atFields(faults: readonly Fault[], fieldAt: (path: string) => string | undefined): FormErrors {
  const errors: FormErrors = {}
  for (const [path, message] of faults) {
    const field = fieldAt(path)
    if (field !== undefined) errors[field] ??= message
  }
  return errors
}

/** The first on the page: the schema may have another order. */
function focusFirst(errors: FormErrors, element: HTMLFormElement | null) {
  const fields = [...(element?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  fields.find(({ dataset }) => Object.hasOwn(errors, dataset['path'] ?? ''))?.focus()
}
