cask "skilltender" do
  version "{{version}}"
  sha256 "{{sha256}}"

  url "{{url}}"
  name "{{name}}"
  desc "{{summary}}"
  homepage "{{homepage}}"

  depends_on macos: ">= :big_sur"

  app "{{name}}.app"
  binary "#{appdir}/{{name}}.app/Contents/MacOS/skilltender"

  zap trash: [
    "~/Library/Application Support/dev.Skilltender.Skilltender",
    "~/Library/Caches/{{id}}",
    "~/Library/WebKit/{{id}}",
  ]
end
