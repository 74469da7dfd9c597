import { createRoot } from "react-dom/client";
import { OfficePage } from "./office-page.tsx";

const place = document.getElementById("office");
if (place !== null) createRoot(place).render(<OfficePage />);
