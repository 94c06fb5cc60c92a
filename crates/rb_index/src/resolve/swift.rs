//! Swift: modules are the targets of packages, each a folder; all else comes from elsewhere.
//!
//! Files of a target see each other without an import. Targets of Xcode projects are not read.

use std::sync::LazyLock;

use rb_lang::{Import, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Resolution, inside, manifests, paths, words};
use crate::tree::{FileId, Tree};

pub(super) struct SwiftResolver<'t> {
    /// The files of each target.
    targets: FxHashMap<&'t str, Vec<FileId>>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    name == "Package.swift"
}

impl<'t> SwiftResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let mut folders: FxHashMap<String, &'t str> = FxHashMap::default();
        let mut packages = FxHashSet::default();
        for (folder, text) in manifests(tree, "Package.swift") {
            packages.insert(folder);
            for (target, path) in placed_targets(text) {
                folders.extend(paths::join(folder, path).map(|path| (path, target)));
            }
        }
        let mut targets: FxHashMap<&'t str, Vec<FileId>> = FxHashMap::default();
        for id in tree.ids().filter(|&id| tree.get(id).language == Some(Language::Swift)) {
            let folder = paths::folder(&tree.get(id).path);
            let named = paths::folders_up(folder).find_map(|folder| folders.get(folder).copied());
            let target = named.or_else(|| {
                paths::folders_up(folder).find_map(|folder| usual_target(folder, &packages))
            });
            if let Some(target) = target {
                targets.entry(target).or_default().push(id);
            }
        }
        SwiftResolver { targets }
    }

    pub(super) fn resolve(&self, _from: FileId, import: &Import) -> Resolution {
        let module = import.specifier.split('.').next().unwrap_or_default();
        let files = self.targets.get(module).into_iter().flatten().copied();
        match inside(files) {
            Some(inside) => inside,
            None if PLATFORM.contains(module) => Resolution::Builtin,
            None => Resolution::External(module.into()),
        }
    }
}

/// `Sources/Name` of a package is the target `Name`.
fn usual_target<'f>(folder: &'f str, packages: &FxHashSet<&str>) -> Option<&'f str> {
    let around = paths::folder(folder);
    let is_usual = matches!(paths::name(around), "Sources" | "Source" | "src" | "srcs" | "Tests" | "Plugins");
    (is_usual && packages.contains(paths::folder(around))).then(|| paths::name(folder))
}

/// Targets whose folder the manifest gives: `.target(name: "A", …, path: "B")`.
fn placed_targets(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("arget(").skip(1).filter_map(|target| {
        Some((quoted_after(target, "name:")?, quoted_after(target, " path:")?))
    })
}

fn quoted_after<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(key)?;
    let value = rest.trim_start().strip_prefix('"')?;
    value.split_once('"').map(|(value, _)| value)
}

/// What comes with Swift and with Apple's platforms.
static PLATFORM: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "ARKit AVFoundation AVKit Accelerate Accounts ActivityKit AppIntents AppKit AuthenticationServices \
         BackgroundTasks CFNetwork CRT CarPlay Charts CloudKit Cocoa Combine CommonCrypto Compression Contacts ContactsUI \
         CoreAudio CoreBluetooth CoreData CoreFoundation CoreGraphics CoreHaptics CoreImage CoreLocation CoreML CoreMedia \
         CoreMotion CoreServices CoreSpotlight CoreTelephony CoreText CoreVideo CryptoKit Darwin Dispatch Distributed \
         EventKit Foundation FoundationEssentials FoundationNetworking FoundationXML GLKit GameController GameKit \
         GameplayKit Glibc HealthKit HomeKit IOKit ImageIO Intents JavaScriptCore LinkPresentation LocalAuthentication \
         MapKit MediaPlayer MessageUI Messages Metal MetalKit MobileCoreServices MultipeerConnectivity Musl \
         NaturalLanguage Network NetworkExtension Observation ObjectiveC OSLog PDFKit PackageDescription PackagePlugin \
         PassKit PencilKit Photos PhotosUI PlaygroundSupport QuartzCore QuickLook RealityKit RegexBuilder \
         SafariServices SceneKit Security Social Spatial Speech SpriteKit StoreKit Swift SwiftData SwiftUI Synchronization \
         SystemConfiguration Testing TipKit TVUIKit UIKit UniformTypeIdentifiers UserNotifications VideoToolbox Vision \
         VisionKit WASILibc WatchConnectivity WatchKit WebKit WidgetKit WinSDK XCTest _Concurrency \
         _StringProcessing os simd ucrt",
    )
});

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    #[test]
    fn ix3_swift() {
        check(
            "
//- Package.swift
let package = Package(name: \"Net\", targets: [
    .target(name: \"Net\", path: \"Source\"),
    .testTarget(name: \"NetTests\", dependencies: [\"Net\"]),
    .executableTarget(name: \"Broken
])
//- Source/Session.swift
//- Source/Core/Request.swift
//- Sources/Kit/Kit.swift
//- Tests/NetTests/SessionTests.swift
",
            "
            Tests/NetTests/SessionTests.swift: Net *
            Tests/NetTests/SessionTests.swift: Kit.Part *
            Tests/NetTests/SessionTests.swift: XCTest *
            Tests/NetTests/SessionTests.swift: Alamofire *
            Tests/NetTests/SessionTests.swift: '' *
            ",
            &expect![[r#"
                Tests/NetTests/SessionTests.swift: Net * -> Source/Core/Request.swift Source/Session.swift
                Tests/NetTests/SessionTests.swift: Kit.Part * -> Sources/Kit/Kit.swift
                Tests/NetTests/SessionTests.swift: XCTest * -> builtin
                Tests/NetTests/SessionTests.swift: Alamofire * -> external Alamofire
                Tests/NetTests/SessionTests.swift: '' * -> UNRESOLVED
            "#]],
        );
    }
}
