import { getReceipt, listPayments, type PaymentList } from '#contract/payments.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey } from './query-client.ts'

const paymentsOf = ({ payments }: PaymentList) => payments

/** For admins. */
export const paymentListOptions = () =>
  infiniteListOptions({
    queryKey: endpointKey(listPayments, {}),
    queryFn: ({ pageParam, signal }) => call(listPayments, { pageToken: pageParam }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken ?? null,
    rowsOf: paymentsOf,
  })

/** Asked for when it is opened, because the provider's addresses expire. */
export const findReceipt = (paymentId: string) => call(getReceipt, { paymentId })
