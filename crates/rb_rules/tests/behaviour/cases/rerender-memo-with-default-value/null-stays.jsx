// mode: ssr
import { memo } from 'react'

export const props = [{}, { options: null }, { options: { wide: true } }, { options: undefined }]

const Show = ({ options }) => <i>{JSON.stringify(options)}</i>
const Box = memo(({ options = { wide: false } }) => <Show options={options} />)

export default Box
