import { Icon } from "@/kernel/ui";

/** The icon of a menu; plain names of old sprite sets have no picture and keep the place empty. */
export function MenuIcon({ name }: { name: string }) {
  return (
    <span className="anticon" aria-hidden="true">
      <Icon name={name} />
    </span>
  );
}
