import { CopyButton } from "../ui/CopyButton";
import css from "./Settings.module.css";

/** Secret shows a text that the server does not show again, with a button that copies it. It is kept nowhere else. */
export function Secret({ label, copy, said, value }: { label: string; copy: string; said: string; value: string }) {
  return (
    <div className={css["secret"]}>
      <code aria-label={label} role="textbox" aria-readonly="true" tabIndex={0}>
        {value}
      </code>
      <CopyButton text={value} said={said} look="strong">
        {copy}
      </CopyButton>
    </div>
  );
}
